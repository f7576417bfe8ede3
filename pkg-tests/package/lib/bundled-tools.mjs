/** What the bundler build of the tools' suites bundles. */
export * from 'slicewise/tools';
