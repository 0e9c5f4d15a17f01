/** The hostile service itself: it is honest until a test attacks. Otherwise the attacks would prove nothing. */
import { expect, test } from 'vitest';
import { openSignedIn } from '../integration/support/desks.ts';
import { makeFolder } from '../integration/support/folders.ts';
import { expectStored } from '../integration/support/sandbox.ts';
import { useHostileService } from './support/hostile-service.ts';
import { lie } from './support/start-hostile-service.ts';

const service = useHostileService();

test('is an honest service until a test attacks', async () => {
  const desk = await openSignedIn({ sandbox: service.address });
  const projects = await desk.handlers.assignments.projects({});
  const [assignment] = projects.value.Items;
  if (!assignment) throw new Error('the sandbox has no assignments');
  const tree = { 'report.txt': 'a report', 'photos/roof.jpg': 'a roof' };
  const batch = await desk.upload(makeFolder(tree), assignment.AssignmentId);
  expect(batch).toMatchObject({ state: 'finished', uploaded: 2 });
  await expectStored(service.control, assignment.AssignmentId, tree);
});

test('answers as the attack says, and is honest again afterwards', async () => {
  const desk = await openSignedIn({ sandbox: service.address });
  const stop = service.attack(
    'list-orderable-events',
    lie(() => [{ EventId: 'e-1', EventName: 'Not in the sample data' }]),
  );
  const events = async () => (await desk.handlers.orderableEvents.list({})).value.map(({ EventName }) => EventName);
  expect(await events()).toEqual(['Not in the sample data']);
  stop();
  expect(await events()).not.toContain('Not in the sample data');
});
