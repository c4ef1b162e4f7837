/** All texts of the pages for account holders, and the names of their parameters. A test holds that none is missing here. */
import { messages as approval } from '../account-pages/approve/messages/index.js';
import { accessibilityTexts } from '../account-pages/bank-pages.js';
import { messages as dashboard } from '../account-pages/dashboard/messages/index.js';
import { tooManyTexts } from '../account-pages/login/guard/too-many-page.js';
import { authorizationTexts, loginTexts } from '../account-pages/login/login-texts.js';
import { maintenanceTexts } from '../account-pages/login/maintenance.js';
import { wrongTurnTexts } from '../portal/problems/wrong-turn-texts.js';
import { bankTexts } from '../web/components/bank-dress.js';
import { shellTexts } from '../web/components/flow-shell.js';
import { languageTexts } from '../web/components/language-switch.js';
import { Catalogue } from '../web/texts/catalogue.js';
import { parameters } from './page-text-parameters.js';

export const sections = {
  language: languageTexts,
  shell: shellTexts,
  bank: bankTexts,
  login: loginTexts,
  authorization: authorizationTexts,
  tooMany: tooManyTexts,
  maintenance: maintenanceTexts,
  approval,
  dashboard,
  accessibility: accessibilityTexts,
  wrongTurn: wrongTurnTexts,
};

export const createCatalogue = (): Catalogue => new Catalogue(sections, parameters);
