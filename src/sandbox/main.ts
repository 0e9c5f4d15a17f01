import { runSandbox } from './run.ts';

void runSandbox(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
