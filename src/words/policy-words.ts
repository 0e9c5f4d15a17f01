/** The words of the policy in another language than English: each key with its title and its text. */
export type PolicyWords<English extends { readonly group: object; readonly key: object }> = {
  readonly app: string;
  readonly supported: string;
  readonly group: { readonly [Group in keyof English['group']]: string };
  readonly key: { readonly [Key in keyof English['key']]: readonly [title: string, text: string] };
};
