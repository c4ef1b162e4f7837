/**
 * Runs the JavaScript of the guides, one file after the other, in one process that keeps what they import. A file is over when it has
 * nothing left to do, as it would be in a process of its own. Questions and marks are lines.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

for await (const line of createInterface({ input: process.stdin })) {
  const { folder, file, mark } = JSON.parse(line);
  process.chdir(folder);
  process.stdin.unref();
  const [fault] = await Promise.all([
    import(pathToFileURL(file).href).then(
      () => undefined,
      (error) => error,
    ),
    once(process, 'beforeExit'),
  ]);
  process.stdin.ref();
  if (fault) console.error(fault);
  console.log(`${mark} ${fault ? 1 : 0}`);
}
