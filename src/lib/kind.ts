/** A string or number that is not to be confused with others: two kinds are not assignable to each other, a plain value is to both. */
export type Kind<Base extends string | number, Name extends string> = Base & { readonly __kind?: Name };
