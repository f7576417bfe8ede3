/** The policies there are, as the core names them. A path `/validate/NAME` asks one alone. */
export const POLICIES = ['slice-shape', 'service-blast-radius'];
