/** What the bundler build of the admission' suites bundles. */
export * from 'slicewise/admission';
