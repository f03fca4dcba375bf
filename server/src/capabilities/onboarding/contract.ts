import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { nothing, string } from '../../kernel/schemas.ts'

/** Hints that existing clients show once. Clients rely on these names; the register response keeps this order. */
export const ONBOARDING_STEPS = [
  { type: 'one_time_notice', name: 'visibility_policy_banner' },
  { type: 'one_time_notice', name: 'intro_inbox_view_modal' },
  { type: 'one_time_notice', name: 'intro_recent_view_modal' },
  { type: 'one_time_notice', name: 'first_stream_created_banner' },
  { type: 'one_time_notice', name: 'jump_to_conversation_banner' },
  { type: 'one_time_notice', name: 'non_interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'intro_resolve_topic' },
] as const

export const onboardingStep = z.strictObject({ type: string, name: string })
export type OnboardingStep = z.output<typeof onboardingStep>

export const markOnboardingStepAsRead = endpoint({
  id: 'markOnboardingStepAsRead',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  summary: 'Mark an onboarding step as done on all clients.',
  since: 233,
  input: z.object({ onboarding_step: string }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const onboardingStepsChanged = event({
  type: 'onboarding_steps',
  summary: "The user's onboarding steps changed. Contains those left.",
  payload: z.strictObject({ onboarding_steps: z.array(onboardingStep) }),
  touches: ['onboarding_steps'],
  apply(state, { onboarding_steps }) {
    if (state['onboarding_steps'] !== undefined) state['onboarding_steps'] = onboarding_steps
  },
})
