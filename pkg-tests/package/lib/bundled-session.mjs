/** What the bundler build of the session's suite bundles. */
export * from 'slicewise/session';
