import { configure } from '@testing-library/dom';

// As long as `expect.poll` waits: machines differ a lot in speed, and parts of pages are loaded first.
configure({ asyncUtilTimeout: 60_000 });

// Fluent does without animations where there are none. happy-dom rejects `finished` of a cancelled one, as browsers do, but does
// not mark it as handled.
if (typeof Element !== 'undefined') Reflect.deleteProperty(Element.prototype, 'animate');
