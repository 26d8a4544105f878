//! How many ways there are to play from many positions, with many options, as counted by the plain statement of the rules.
