/** A dialog that is loaded when it is first opened, and then stays: one that vanished while open would leave the page hidden. */
export type DialogProps = { readonly open: boolean; readonly onClose: () => void };
