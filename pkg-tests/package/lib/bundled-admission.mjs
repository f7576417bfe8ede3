/** The program for testing the bundler build of `slicewise/admission`. */
export * from 'slicewise/admission';
