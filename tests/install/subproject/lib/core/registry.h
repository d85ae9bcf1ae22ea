#pragma once
// The user's own, not Tandem's.

constexpr float kRegistered = 3;
