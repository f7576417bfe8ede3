/** A CommonJS program that plays a scenario. */
import simulation = require('slicewise/simulation');

export const steps: number = new simulation.Timeline('{"zones": []}').next().length;
