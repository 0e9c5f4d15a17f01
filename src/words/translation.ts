/** A catalog in another language: the keys of the English one, each with a text. A key that is missing does not compile. */
export type Translation<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string ? string : Translation<Words[Key]>;
};
