//! The judge as its users see it: vectors, hostile replies, the decision space, golden boundaries.

mod reply;
mod vectors;
