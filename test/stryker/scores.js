/** Prints how many mutants of each file were killed, and fails below 85 %. */
import { readFileSync } from 'node:fs';

const LEAST = 85;
/** @type {{ files: Record<string, { mutants: { status: string, mutatorName: string, location: { start: { line: number } }, replacement?: string }[] }> }} */
const { files } = JSON.parse(readFileSync('.stryker/report.json', 'utf8'));
let isEnough = true;
for (const [path, { mutants }] of Object.entries(files)) {
  const judged = mutants.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
  const killed = judged.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const score = judged.length === 0 ? 100 : (100 * killed) / judged.length;
  isEnough &&= score >= LEAST;
  console.log(`${score.toFixed(1).padStart(5)} %  ${killed} of ${judged.length}  ${path}`);
  for (const { status, mutatorName, location, replacement } of judged)
    if (status === 'Survived' || status === 'NoCoverage')
      console.log(`         line ${location.start.line}: ${mutatorName} ${(replacement ?? '').slice(0, 60)}`);
}
if (!isEnough) process.exitCode = 1;
