/** For Stryker: the tests of pure rules alone, without store, browser or network. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/model/*.test.ts',
      'test/consent/{access,covers,lifecycle}.test.ts',
      'test/payment/payable.test.ts',
      'test/payment/remote/schedule.test.ts',
      'test/gate/nearest.test.ts',
      'test/lib/*.test.ts',
    ],
    setupFiles: ['test/support/run/seed.ts'],
  },
});
