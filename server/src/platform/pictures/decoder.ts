import type { FormatEnum, ResizeOptions } from 'sharp'
import { ApiError } from '../../kernel/refusal.ts'
import { createSubprocess, LateAnswerError } from '../subprocess.ts'

export type DecoderJob = MeasureJob | ResizeJob

export interface MeasureJob {
  readonly kind: 'measure'
  readonly path: string
}

export interface ResizeJob extends Required<Pick<ResizeOptions, 'width' | 'height' | 'fit' | 'withoutEnlargement'>> {
  readonly kind: 'make'
  readonly path: string
  readonly isMoving: boolean
  /** Whether to reject truncated images. */
  readonly isWhole: boolean
  readonly maxPixels: number
  readonly format: { readonly id: keyof FormatEnum; readonly options: Readonly<Record<string, number>> }
}

export interface DecoderResults {
  readonly measure: { readonly width: number; readonly height: number; readonly frames: number }
  readonly make: Buffer
}

export const DECODE_TIMEOUT_SECONDS = 5
const ANSWER_TIMEOUT_SECONDS = 60

const askDecoder = createSubprocess({
  module: '#server/src/platform/pictures/worker.js',
  limits: [DECODE_TIMEOUT_SECONDS],
  answerTimeoutSeconds: ANSWER_TIMEOUT_SECONDS,
})

/** Returns undefined if the file is not an image, or decoding crashes or times out. @throws ApiError RATE_LIMIT_HIT */
export async function decode<Kind extends DecoderJob['kind']>(
  order: Extract<DecoderJob, { kind: Kind }>,
): Promise<DecoderResults[Kind] | undefined> {
  return askDecoder<DecoderResults[Kind]>({ ...order }).catch((error: unknown) => {
    throw error instanceof LateAnswerError ? busyError() : error
  })
}

export function busyError(): ApiError {
  return new ApiError('RATE_LIMIT_HIT', 'Too many images are being uploaded. Try again later.', {
    'retry-after': DECODE_TIMEOUT_SECONDS,
  })
}
