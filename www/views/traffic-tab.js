/**
 * The second tab: who serves whom.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { Traffic } from './traffic.js';

/** @param {{state: AppState, actions: Actions}} props */
export function TrafficTab({ state: { model }, actions }) {
  return model && h(Traffic, { model, onTraffic: actions.onTraffic });
}
