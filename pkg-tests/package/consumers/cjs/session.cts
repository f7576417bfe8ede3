/** A CommonJS program with sessions. */
import sessions = require('slicewise/session');
import { Session } from 'slicewise/session';

const session = new Session();
export const bytes: Uint8Array = session.apply(new Uint8Array());
export const controller: sessions.Controller = new sessions.Controller();
export const name: string | undefined = session.sync('shop/cart')?.service.name;
