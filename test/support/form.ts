/** Forms as a browser sends them: their token is in the address, their fields in the body. */

/** The token of the forms of a page; empty if it has none. */
export const formTokenIn = (html: string): string => /[?;&]form_token=([\w-]+)/.exec(html)?.[1] ?? '';

/** Without the token, for a page that is sent with another one. */
export const actionIn = (html: string): string | undefined =>
  /<form[^>]* action="([^"]+)"/.exec(html)?.[1]?.replace(/[?&]form_token=[\w-]+/, '');

/** `form_token` among the fields goes into the address. */
export const posted = <Field extends string | readonly string[]>(
  path: string,
  { form_token: token, ...fields }: Readonly<Record<string, Field>>,
): { readonly path: string; readonly fields: Readonly<Record<string, Field>> } => ({
  path: token === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}form_token=${token}`,
  fields,
});
