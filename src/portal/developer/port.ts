/** Who visits the portal. An extension says it: the product itself has no accounts of developers. */
import type { PageCookie, PageRequest } from '../../http/pages.js';

/** The third party whose applications a visitor may see and change. */
export interface Developer {
  readonly tppId: string;
  /** As the pages address the visitor. */
  readonly name: string;
}

export interface DeveloperPortal {
  /** Undefined if no developer has logged in. */
  visitor(request: PageRequest): Promise<Developer | undefined>;
  /** Where a visitor without a login is sent, as it stands in a link: it may be outside of this service. */
  readonly loginHref: string;
  /** Ends the visit; the browser gets the cookies and goes to `loginHref`. Without it the pages have no button to leave. */
  leave?(request: PageRequest): Promise<readonly PageCookie[]>;
}
