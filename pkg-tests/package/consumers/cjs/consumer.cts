/** A CommonJS program. */
import slicewise = require('slicewise');
import { plan } from 'slicewise';

export const bytes: Uint8Array = slicewise.plan(new Uint8Array());
export const name: string = plan({ service: { metadata: { name: 'cart' } } }).service.name;

export function isOurs(error: unknown): error is slicewise.SlicewiseError {
  return error instanceof slicewise.SlicewiseError;
}
