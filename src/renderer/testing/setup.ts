import { configure } from '@testing-library/dom';
import { setFormats } from '../words/formats.ts';

// Test files share a process, and an earlier file may have set other formats.
setFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' });

// As long as the timeout of `expect.poll` (vitest.config.ts): machines differ a lot in speed, and pages load some of
// their parts on demand.
configure({ asyncUtilTimeout: 60_000 });

// happy-dom rejects `finished` of a cancelled animation, as browsers do, but does not mark the rejection as handled.
// Without `animate`, Fluent shows no animations.
if (typeof Element !== 'undefined') Reflect.deleteProperty(Element.prototype, 'animate');

// happy-dom has no layout. In a page without a size, Fluent finds no field to focus in a dialog, and therefore treats
// a dialog that is opened again as inactive: 250 ms later, none of its buttons has a role.
if (typeof document !== 'undefined') document.body.getBoundingClientRect = () => new DOMRect(0, 0, 1280, 800);

// happy-dom represents a select by a proxy, but calls its methods with the element behind it. Tabster, which the
// dialogs of Fluent use, compares the two. It would not know that the app focused the first field of a dialog, and
// would try to take the focus back 100 ms later, which throws in a DOM without layout.
if (typeof HTMLSelectElement !== 'undefined') {
  const { PropertySymbol } = await import('happy-dom');
  HTMLSelectElement.prototype.focus = function focus(options?: FocusOptions): void {
    HTMLElement.prototype.focus.call(Reflect.get(this, PropertySymbol.proxy), options);
  };
}
