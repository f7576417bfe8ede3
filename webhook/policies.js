/** The core's policies. The path `/validate/NAME` runs only one of them. */
import { policies } from 'slicewise/admission';

export const POLICIES = policies().map(({ name }) => name);
