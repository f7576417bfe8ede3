/** The policies there are, as the core names them. A path `/validate/NAME` asks one alone. */
import { policyNames } from 'slicewise/admission';

export const POLICIES = policyNames();
