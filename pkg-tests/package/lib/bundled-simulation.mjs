/** What the bundler build of the simulations' suites bundles. */
export * from 'slicewise/simulation';
