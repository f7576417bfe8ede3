/** The program for testing the bundler build of `slicewise/tools`. */
export * from 'slicewise/tools';
