/** What every page knows: where the service is reached, which version it is, and whether it is the sandbox. */
export interface Frame {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly version: string;
  readonly isSandbox: boolean;
  /** Where account holders log in, if not on a form of ours. */
  readonly loginStart: string | undefined;
  /** The address of a page on this host: the service may live below a path. */
  href(path: string): string;
}

export const frameOf = (baseUrl: string, version: string, isSandbox: boolean, loginStart?: string): Frame => {
  const base = baseUrl.replace(/\/+$/, '');
  const prefix = URL.canParse(base) ? new URL(base).pathname.replace(/\/+$/, '') : '';
  return { baseUrl: base, version, isSandbox, loginStart, href: (path) => `${prefix}${path}` };
};
