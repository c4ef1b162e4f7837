/** The pages of a developer, below `/portal`: what one third party sees of its applications and may change. */
import type { Admin } from '../../admin/admin.js';
import { type Page, seeOther } from '../../http/pages.js';
import { flowPage } from '../../web/components/flow-shell.js';
import type { FormTokenParts } from '../../web/form-token.js';
import type { Frame } from '../../web/frame.js';
import { languageCookies, languageOf } from '../../web/language.js';
import type { DeveloperPortal } from './port.js';

export interface DeveloperParts extends FormTokenParts {
  readonly portal: DeveloperPortal;
  readonly frame: () => Frame;
  readonly admin: Admin;
}

export const createDeveloperPages = ({ portal, frame }: DeveloperParts): readonly Page[] => [
  {
    method: 'GET',
    path: '/portal',
    render: async (request) => {
      const developer = await portal.visitor(request);
      if (!developer) return seeOther(portal.loginHref);
      const lang = languageOf(request);
      return flowPage(
        {
          frame: frame(),
          lang,
          title: developer.name,
          path: '/portal',
          isWide: true,
          children: <h1>{developer.name}</h1>,
        },
        { cookies: languageCookies(request) },
      );
    },
  },
];
