import type { CapabilitySamples } from '../../../testing/capability-samples.ts'

export const samples: CapabilitySamples = {
  inputs: { updateMessage: () => ({ content: 'Changed' }) },
  namesNothing: { prev_content_sha256: 'a digest of what the caller has read' },
}
