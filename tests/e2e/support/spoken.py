"""
Writes what the windows of this session tell assistive technology, as lines of JSON: first the address of the session's
accessibility bus, then each element that gets the focus, and each text that is announced. Needs python3-pyatspi, and
the address of the session bus in DBUS_SESSION_BUS_ADDRESS.
"""

import json
import os

from gi.repository import Gio

# Without this variable, pyatspi reads the address from the X display, where another session may have left its own.
os.environ['AT_SPI_BUS_ADDRESS'] = (
    Gio.bus_get_sync(Gio.BusType.SESSION)
    .call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None, None, 0, -1)
    .unpack()[0]
)

import pyatspi

# The states that a screen reader speaks, and its words for them.
SPOKEN_STATES = {
    pyatspi.STATE_CHECKED: 'checked',
    pyatspi.STATE_EXPANDED: 'expanded',
    pyatspi.STATE_SELECTED: 'selected',
    pyatspi.STATE_PRESSED: 'pressed',
    pyatspi.STATE_REQUIRED: 'required',
    pyatspi.STATE_READ_ONLY: 'read only',
}


def attributes(element):
    return dict(one.split(':', 1) for one in element.getAttributes() if ':' in one)


def text_of(element):
    try:
        text = element.queryText()
        return text.getText(0, text.characterCount)
    except NotImplementedError:
        return ''


def write(kind, **said):
    print(json.dumps({'kind': kind, **said}, ensure_ascii=False), flush=True)


def on_focus(event):
    if event.detail1 != 1:
        return
    element = event.source
    states = element.getState()
    # When the user leaves a page, the focus passes through elements around the one that had it, but does not stay.
    if not states.contains(pyatspi.STATE_FOCUSABLE):
        return
    said = {
        'name': element.name,
        'role': element.getLocalizedRoleName(),
        'states': [word for state, word in SPOKEN_STATES.items() if states.contains(state)],
        'description': element.description,
    }
    # An element that was removed during these questions may have lost its name. Only its role shows that it was
    # removed, if the role is the last question and is not answered from the cache.
    element.clearCache()
    if element.getRole() != pyatspi.ROLE_INVALID:
        write('focus', **said)


def on_text(event):
    live = attributes(event.source).get('container-live', 'off')
    if live in ('polite', 'assertive'):
        write('announcement', name=event.any_data or text_of(event.source))


def quietly(handle):
    # Elements can be removed while they are asked about.
    def listener(event):
        try:
            handle(event)
        except Exception:
            pass

    return listener


pyatspi.Registry.registerEventListener(quietly(on_focus), 'object:state-changed:focused')
pyatspi.Registry.registerEventListener(quietly(on_text), 'object:text-changed:insert')
write('ready', bus=os.environ['AT_SPI_BUS_ADDRESS'])
pyatspi.Registry.start()
