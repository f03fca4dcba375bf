/** Reports progress: bytes done of a step's total; 0 if the total is unknown. */
export type Report = (step: string, done: number, total: number) => void
