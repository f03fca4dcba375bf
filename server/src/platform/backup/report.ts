/** Hears how far the work is: of a step, as much of a total in bytes. A total of 0 is not known. */
export type Report = (step: string, done: number, total: number) => void
