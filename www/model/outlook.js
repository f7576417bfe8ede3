/**
 * What a change leads to, in a few words with its price: hints and whether they last, traffic that leaves its zone, the load of the
 * busiest endpoint.
 * @import {Outlook} from '../types.js'
 */
import { percent } from './traffic-text.js';

/** A load that deserves a mention. */
const UNEVEN = 1.05;
/** @type {Record<Outlook['severity'], string>} */
const STANDING = { broken: 'broken', degraded: 'degraded', risk: 'at risk', note: 'well' };

/** @param {Outlook | null} now without the change @param {Outlook} then with it */
export function outlookWords(now, then) {
  return [hintsWords(now, then), crossingWords(now, then), loadWords(now, then)].filter((words) => words !== '').join(' · ');
}

/** Empty if it is the same. @param {Outlook | null} now @param {Outlook} then */
export function standingWords(now, then) {
  return now === null || now.severity === then.severity ? '' : `${STANDING[now.severity]} → ${STANDING[then.severity]}`;
}

/** @param {Outlook | null} now @param {Outlook} then */
function hintsWords(now, { hints, lasts }) {
  if (hints === 'on') {
    if (lasts === null) return 'hints on';
    return lasts ? 'hints on, through rollouts too' : 'hints on, off and on again in a rollout';
  }
  if (now === null || now.hints === hints) return '';
  return hints === 'off' ? 'hints off' : 'no hints';
}

/** @param {Outlook | null} now @param {Outlook} then */
function crossingWords(now, { crossZone }) {
  if (crossZone === null) return '';
  const [before, after] = [now?.crossZone ?? null, crossZone].map((share) => (share === null ? '' : percent(share)));
  return `${before === '' || before === after ? after : `${before} → ${after}`} crosses zones`;
}

/** @param {Outlook | null} now @param {Outlook} then */
function loadWords(now, { busiest }) {
  if (!busiest) return '';
  const [before, after] = [now?.busiest?.times ?? 1, busiest.times];
  if (Math.max(before, after) < UNEVEN || (now !== null && before.toFixed(2) === after.toFixed(2))) return '';
  return after < UNEVEN ? 'even load' : `zone ${busiest.zone} ${after.toFixed(2)} × its share`;
}
