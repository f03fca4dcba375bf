import { withPart } from '../../platform/dom/lazy.tsx'
import { isMutedUser } from '../users/state.ts'

export function toggleMuted(userId: number): void {
  void withPart(import('./actions.ts'), ({ mute, unmute }) => void (isMutedUser(userId) ? unmute : mute)(userId))
}
