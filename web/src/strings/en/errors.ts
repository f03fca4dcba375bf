export const errors = {
  generic: 'That did not work. Try again.',
  network: 'The server cannot be reached.',
}
