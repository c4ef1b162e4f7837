/** Where the controls stand in the reference and in the OpenAPI document. */
import type { OpenArea } from 'trapeza/base';

export const sandboxArea: OpenArea = {
  id: 'sandbox',
  title: 'Sandbox',
  audience: 'For trying things out',
  purpose:
    'Get credentials and tokens, move the bank’s clock, start again. Open to everybody, and absent in production.',
  description: 'Controls of the demo bank. They need no credentials and do not exist in production.',
};
