import { testTexts } from './every-view.ts'
import { VIEW_GROUPS } from './views.ts'

testTexts('ar-XB', VIEW_GROUPS)
