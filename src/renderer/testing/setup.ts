import { configure } from '@testing-library/dom';
import { setFormats } from '../words/formats.ts';

// Test files share a process, and an earlier file may have set other formats.
setFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' });

// The timeout of `expect.poll`: machines differ a lot in speed, and pages load some of their parts on demand.
configure({ asyncUtilTimeout: 60_000 });

// happy-dom rejects `finished` of a cancelled animation, as browsers do, but does not mark the rejection as handled.
// Without `animate`, Fluent shows no animations.
if (typeof Element !== 'undefined') Reflect.deleteProperty(Element.prototype, 'animate');

// happy-dom has no layout. In a page without a size, Fluent finds no field to focus in a dialog, and therefore treats
// a dialog that is opened again as inactive: 250 ms later, none of its buttons has a role.
if (typeof document !== 'undefined') document.body.getBoundingClientRect = () => new DOMRect(0, 0, 1280, 800);
