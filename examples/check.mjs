import { check } from 'tidings';

const [target = 'dist'] = process.argv.slice(2);

const findings = await check(target, { spec: 'aicf' });

for (const { clause, level, where, seen, remedy } of findings) {
  console.log(`${level} ${clause} ${where}: ${seen} ${remedy}`);
}
console.log(`${findings.length} findings`);
