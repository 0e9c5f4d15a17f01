import { configure } from '@testing-library/dom';
import { setFormats } from '../words/formats.ts';

// Many files of tests share a process, and one may have set other formats.
setFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' });

// As long as `expect.poll` waits: machines differ a lot in speed, and parts of pages are loaded first.
configure({ asyncUtilTimeout: 60_000 });

// Fluent does without animations where there are none. happy-dom rejects `finished` of a cancelled one, as browsers do,
// but does not mark it as handled.
if (typeof Element !== 'undefined') Reflect.deleteProperty(Element.prototype, 'animate');
