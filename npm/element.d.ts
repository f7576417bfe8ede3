/** Defines the element `<slicewise-picture>`. Nothing is exported. */
export {};
