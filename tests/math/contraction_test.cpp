// That the program with the predicates contracted is what it is called: a product less another one is rounded once.
#include <gtest/gtest.h>

TEST(Contraction, ProductsAndSumsAreRoundedOnce) {
  volatile const double a = 1 + 0x1p-30, square = 1 + 0x1p-29;  // of a, but for 2^-60
  EXPECT_EQ(a * a - square, 0x1p-60);
}
