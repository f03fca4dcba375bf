/** The total is 0 if unknown. */
export type Report = (step: string, done: number, total: number) => void
