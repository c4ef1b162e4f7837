/** The embedded store: its one node is killed at random and at named points, paused, its clock moved, its disk filled. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../../cli/program.js';
import { createDatabase } from '../../support/database.js';
import { faultVolume } from '../volume.js';
import { NodeProcess } from './break/node-process.js';
import { CAMPAIGN_MS, Campaign, endCampaigns, type Inject } from './campaign.js';
import { disturbNode, killNode } from './parts.js';

afterAll(endCampaigns);

const runOnOneNode = async (
  name: string,
  count: number,
  url: string,
  inject: (node: NodeProcess) => Inject,
): Promise<void> => {
  const campaign = new Campaign();
  const node = await NodeProcess.start(campaign.journal, url);
  await campaign.run([node], () => url, { name, count, inject: inject(node) });
  await node.stop();
  campaign.expectRight();
};

/** A file system that can be filled: only root may make one. */
const smallDisk = (): string | undefined => {
  const folder = tempFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
};

/** Takes all the space there is, to the last page. */
const fill = (file: string): void => {
  for (const bytes of [1 << 20, 4096])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      expect((error as { code?: string }).code).toBe('ENOSPC');
    }
};

describe('the embedded store', () => {
  it(
    'part embedded: nothing acknowledged is lost when its node is killed, and no answer is wrong',
    async () => {
      const database = await createDatabase('sqlite', 'disk');
      const disturbedEach = faultVolume(2, 20);
      let made = 0;
      await runOnOneNode('embedded', faultVolume(2, 527), database.url, (node) => (random) => {
        made += 1;
        return made % disturbedEach === 0 ? disturbNode(node, random) : killNode(node, random);
      });
      await database.drop();
    },
    CAMPAIGN_MS,
  );

  it(
    'part disk-full: nothing acknowledged is lost when the disk is full, and writes work when it is not',
    async ({ skip }) => {
      const disk = smallDisk();
      if (disk === undefined) return skip();
      const filler = join(disk, 'filler');
      try {
        await runOnOneNode(
          'disk-full',
          faultVolume(1, 60),
          `sqlite:${join(disk, 'data', 'trapeza.db')}`,
          () => async (random) => {
            fill(filler);
            await pause(random() * faultVolume(400, 4000));
            rmSync(filler);
            return 'disk full';
          },
        );
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    },
    CAMPAIGN_MS,
  );
});
