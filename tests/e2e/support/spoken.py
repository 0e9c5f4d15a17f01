"""
Writes what assistive technology is told by the windows of this session, a line of JSON each: first the address of its
accessibility bus, then each element that gets the focus, and each text that is announced. Needs python3-pyatspi, and
the session bus in DBUS_SESSION_BUS_ADDRESS.
"""

import json
import os

from gi.repository import Gio

# Without this variable, the address is read from the screen, where another session may have left its own.
os.environ['AT_SPI_BUS_ADDRESS'] = (
    Gio.bus_get_sync(Gio.BusType.SESSION)
    .call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None, None, 0, -1)
    .unpack()[0]
)

import pyatspi

# The states that a screen reader speaks, in its words.
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
    # A page that is left passes the focus through the elements around the one that had it.
    if not states.contains(pyatspi.STATE_FOCUSABLE):
        return
    said = {
        'name': element.name,
        'role': element.getLocalizedRoleName(),
        'states': [word for state, word in SPOKEN_STATES.items() if states.contains(state)],
        'description': element.description,
    }
    # An element that goes while it is asked about has lost its name. Only the role tells, if it is asked for last and anew.
    element.clearCache()
    if element.getRole() != pyatspi.ROLE_INVALID:
        write('focus', **said)


def on_text(event):
    live = attributes(event.source).get('container-live', 'off')
    if live in ('polite', 'assertive'):
        write('announcement', name=event.any_data or text_of(event.source))


def quietly(handle):
    # Elements go while they are asked about.
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
