/** What the bundler build of the suite bundles. */
export * from 'slicewise';
