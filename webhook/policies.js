/** The policies there are, as the core names them. A path `/validate/NAME` asks one alone. */
import { policies } from 'slicewise/admission';

export const POLICIES = policies().map(({ name }) => name);
