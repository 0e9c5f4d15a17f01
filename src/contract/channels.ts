/** The IPC channels of the desktop beside the calls, whose channels are their names (`protocols.list`). */
export const eventChannel = 'desk.event';
export const adoptDroppedChannel = 'desk.adoptDropped';
